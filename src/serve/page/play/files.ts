// A game as files: pictures, a moving picture, and a page in which it can be replayed.

import { applyPalette, GIFEncoder, quantize } from "gifenc";
import { see, type Seen, type Table } from "../api";
import { replay } from "./replay";

const PAPER = "#ffffff";

/** Tells how much of the work is done, from 0 to 1. */
export type Progress = (done: number) => void;

/** Offers a file to the browser. */
export function save(name: string, content: Blob) {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A drawing on a canvas of some width. */
async function painted(svg: string, width: number): Promise<CanvasRenderingContext2D> {
  const box = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg);
  const [wide, high] = [Number(box?.[1] ?? 1), Number(box?.[2] ?? 1)];
  const height = Math.round((width * high) / wide);
  const sized = svg.replace("<svg ", `<svg width="${width}" height="${height}" `);
  const address = URL.createObjectURL(new Blob([sized], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d", { willReadFrequently: true })!;
    context.fillStyle = PAPER;
    context.fillRect(0, 0, width, height);
    context.drawImage(image, 0, 0, width, height);
    return context;
  } finally {
    URL.revokeObjectURL(address);
  }
}

export async function png(svg: string): Promise<Blob> {
  const { canvas } = await painted(svg, 1200);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("the picture is too large"))), "image/png"),
  );
}

/** What is seen after each ply of a game, from the start on. */
async function positions(table: Table, signal: AbortSignal, progress: Progress): Promise<Seen[]> {
  const out: Seen[] = [];
  for (let ply = 0; ply <= table.moves.length; ply += 1) {
    const isLast = ply === table.moves.length;
    out.push(await see({ ...table, moves: table.moves.slice(0, ply), resigned: isLast ? table.resigned : null }, signal));
    progress(ply / (table.moves.length + 1));
  }
  return out;
}

export async function gif(table: Table, signal: AbortSignal, progress: Progress): Promise<Blob> {
  const all = await positions(table, signal, (done) => progress(done / 2));
  const encoder = GIFEncoder();
  for (const [at, seen] of all.entries()) {
    if (signal.aborted) break;
    const { canvas } = await painted(seen.svg, 480).then((context) => context);
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    const palette = quantize(data, 64);
    const delay = at === all.length - 1 ? 3000 : 800;
    encoder.writeFrame(applyPalette(data, palette), canvas.width, canvas.height, { palette, delay, repeat: 0 });
    progress(0.5 + (at + 1) / all.length / 2);
    // The page stays alive meanwhile.
    await new Promise((done) => setTimeout(done));
  }
  encoder.finish();
  return new Blob([encoder.bytes()], { type: "image/gif" });
}

export async function page(table: Table, signal: AbortSignal, progress: Progress): Promise<Blob> {
  const all = await positions(table, signal, progress);
  return new Blob([replay(all)], { type: "text/html" });
}
