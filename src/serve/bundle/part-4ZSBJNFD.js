import{a as ft,b as ut,g as J}from"./part-6GDVHVFN.js";var st=ft(V=>{var K=Object.defineProperty,dt=t=>K(t,"__esModule",{value:!0}),gt=(t,e)=>{for(var o in e)K(t,o,{get:e[o],enumerable:!0})};dt(V);gt(V,{GIFEncoder:()=>ot,applyPalette:()=>At,default:()=>Ut,nearestColor:()=>Mt,nearestColorIndex:()=>nt,nearestColorIndexWithDistance:()=>rt,prequantize:()=>vt,quantize:()=>mt,snapColorsToPalette:()=>Ct});var pt={signature:"GIF",version:"89a",trailer:59,extensionIntroducer:33,applicationExtensionLabel:255,graphicControlExtensionLabel:249,imageSeparator:44,signatureSize:3,versionSize:3,globalColorTableFlagMask:128,colorResolutionMask:112,sortFlagMask:8,globalColorTableSizeMask:7,applicationIdentifierSize:8,applicationAuthCodeSize:3,disposalMethodMask:28,userInputFlagMask:2,transparentColorFlagMask:1,localColorTableFlagMask:128,interlaceFlagMask:64,idSortFlagMask:32,localColorTableSizeMask:7};function X(t=256){let e=0,o=new Uint8Array(t);return{get buffer(){return o.buffer},reset(){e=0},bytesView(){return o.subarray(0,e)},bytes(){return o.slice(0,e)},writeByte(r){n(e+1),o[e]=r,e++},writeBytes(r,i=0,c=r.length){n(e+c);for(let s=0;s<c;s++)o[e++]=r[s+i]},writeBytesView(r,i=0,c=r.byteLength){n(e+c),o.set(r.subarray(i,i+c),e),e+=c}};function n(r){var i=o.length;if(i>=r)return;var c=1024*1024;r=Math.max(r,i*(i<c?2:1.125)>>>0),i!=0&&(r=Math.max(r,256));let s=o;o=new Uint8Array(r),e>0&&o.set(s.subarray(0,e),0)}}var G=12,W=5003,ht=[0,1,3,7,15,31,63,127,255,511,1023,2047,4095,8191,16383,32767,65535];function bt(t,e,o,n,r=X(512),i=new Uint8Array(256),c=new Int32Array(W),s=new Int32Array(W)){let u=c.length,f=Math.max(2,n);i.fill(0),s.fill(0),c.fill(-1);let l=0,a=0,g=f+1,w=g,p=!1,h=w,v=(1<<h)-1,d=1<<g-1,M=d+1,x=d+2,b=0,A=o[0],E=0;for(let m=u;m<65536;m*=2)++E;E=8-E,r.writeByte(f),B(d);let y=o.length;for(let m=1;m<y;m++)t:{let I=o[m],_=(I<<G)+A,k=I<<E^A;if(c[k]===_){A=s[k];break t}let L=k===0?1:u-k;for(;c[k]>=0;)if(k-=L,k<0&&(k+=u),c[k]===_){A=s[k];break t}B(A),A=I,x<1<<G?(s[k]=x++,c[k]=_):(c.fill(-1),x=d+2,p=!0,B(d))}return B(A),B(M),r.writeByte(0),r.bytesView();function B(m){for(l&=ht[a],a>0?l|=m<<a:l=m,a+=h;a>=8;)i[b++]=l&255,b>=254&&(r.writeByte(b),r.writeBytesView(i,0,b),b=0),l>>=8,a-=8;if((x>v||p)&&(p?(h=w,v=(1<<h)-1,p=!1):(++h,v=h===G?1<<h:(1<<h)-1)),m==M){for(;a>0;)i[b++]=l&255,b>=254&&(r.writeByte(b),r.writeBytesView(i,0,b),b=0),l>>=8,a-=8;b>0&&(r.writeByte(b),r.writeBytesView(i,0,b),b=0)}}}var yt=bt;function Q(t,e,o){return t<<8&63488|e<<2&992|o>>3}function tt(t,e,o,n){return t>>4|e&240|(o&240)<<4|(n&240)<<8}function et(t,e,o){return t>>4<<8|e&240|o>>4}function F(t,e,o){return t<e?e:t>o?o:t}function P(t){return t*t}function Y(t,e,o){var n=0,r=1e100;let i=t[e],c=i.cnt,s=i.ac,u=i.rc,f=i.gc,l=i.bc;for(var a=i.fw;a!=0;a=t[a].fw){let w=t[a],p=w.cnt,h=c*p/(c+p);if(!(h>=r)){var g=0;o&&(g+=h*P(w.ac-s),g>=r)||(g+=h*P(w.rc-u),!(g>=r)&&(g+=h*P(w.gc-f),!(g>=r)&&(g+=h*P(w.bc-l),!(g>=r)&&(r=g,n=a))))}}i.err=r,i.nn=n}function $(){return{ac:0,rc:0,gc:0,bc:0,cnt:0,nn:0,fw:0,bk:0,tm:0,mtm:0,err:0}}function wt(t,e){let o=e==="rgb444"?4096:65536,n=new Array(o),r=t.length;if(e==="rgba4444")for(let i=0;i<r;++i){let c=t[i],s=c>>24&255,u=c>>16&255,f=c>>8&255,l=c&255,a=tt(l,f,u,s),g=a in n?n[a]:n[a]=$();g.rc+=l,g.gc+=f,g.bc+=u,g.ac+=s,g.cnt++}else if(e==="rgb444")for(let i=0;i<r;++i){let c=t[i],s=c>>16&255,u=c>>8&255,f=c&255,l=et(f,u,s),a=l in n?n[l]:n[l]=$();a.rc+=f,a.gc+=u,a.bc+=s,a.cnt++}else for(let i=0;i<r;++i){let c=t[i],s=c>>16&255,u=c>>8&255,f=c&255,l=Q(f,u,s),a=l in n?n[l]:n[l]=$();a.rc+=f,a.gc+=u,a.bc+=s,a.cnt++}return n}function mt(t,e,o={}){let{format:n="rgb565",clearAlpha:r=!0,clearAlphaColor:i=0,clearAlphaThreshold:c=0,oneBitAlpha:s=!1}=o;if(!t||!t.buffer)throw new Error("quantize() expected RGBA Uint8Array data");if(!(t instanceof Uint8Array)&&!(t instanceof Uint8ClampedArray))throw new Error("quantize() expected RGBA Uint8Array data");let u=new Uint32Array(t.buffer),f=o.useSqrt!==!1,l=n==="rgba4444",a=wt(u,n),g=a.length,w=g-1,p=new Uint32Array(g+1);for(var h=0,d=0;d<g;++d){let C=a[d];if(C!=null){var v=1/C.cnt;l&&(C.ac*=v),C.rc*=v,C.gc*=v,C.bc*=v,a[h++]=C}}P(e)/h<.022&&(f=!1);for(var d=0;d<h-1;++d)a[d].fw=d+1,a[d+1].bk=d,f&&(a[d].cnt=Math.sqrt(a[d].cnt));f&&(a[d].cnt=Math.sqrt(a[d].cnt));var M,x,b;for(d=0;d<h;++d){Y(a,d,!1);var A=a[d].err;for(x=++p[0];x>1&&(b=x>>1,!(a[M=p[b]].err<=A));x=b)p[x]=M;p[x]=d}var E=h-e;for(d=0;d<E;){for(var y;;){var B=p[1];if(y=a[B],y.tm>=y.mtm&&a[y.nn].mtm<=y.tm)break;y.mtm==w?B=p[1]=p[p[0]--]:(Y(a,B,!1),y.tm=d);var A=a[B].err;for(x=1;(b=x+x)<=p[0]&&(b<p[0]&&a[p[b]].err>a[p[b+1]].err&&b++,!(A<=a[M=p[b]].err));x=b)p[x]=M;p[x]=B}var m=a[y.nn],I=y.cnt,_=m.cnt,v=1/(I+_);l&&(y.ac=v*(I*y.ac+_*m.ac)),y.rc=v*(I*y.rc+_*m.rc),y.gc=v*(I*y.gc+_*m.gc),y.bc=v*(I*y.bc+_*m.bc),y.cnt+=m.cnt,y.mtm=++d,a[m.bk].fw=m.fw,a[m.fw].bk=m.bk,m.mtm=w}let k=[];var L=0;for(d=0;;++L){let D=F(Math.round(a[d].rc),0,255),C=F(Math.round(a[d].gc),0,255),j=F(Math.round(a[d].bc),0,255),U=255;l&&(U=F(Math.round(a[d].ac),0,255),s&&(U=U<=(typeof s=="number"?s:127)?0:255),r&&U<=c&&(D=C=j=i,U=0));let H=l?[D,C,j,U]:[D,C,j];if(xt(k,H)||k.push(H),(d=a[d].fw)==0)break}return k}function xt(t,e){for(let o=0;o<t.length;o++){let n=t[o],r=n[0]===e[0]&&n[1]===e[1]&&n[2]===e[2],i=n.length>=4&&e.length>=4?n[3]===e[3]:!0;if(r&&i)return!0}return!1}function q(t,e){var o=0,n;for(n=0;n<t.length;n++){let r=t[n]-e[n];o+=r*r}return o}function R(t,e){return e>1?Math.round(t/e)*e:t}function vt(t,{roundRGB:e=5,roundAlpha:o=10,oneBitAlpha:n=null}={}){let r=new Uint32Array(t.buffer);for(let i=0;i<r.length;i++){let c=r[i],s=c>>24&255,u=c>>16&255,f=c>>8&255,l=c&255;s=R(s,o),n&&(s=s<=(typeof n=="number"?n:127)?0:255),l=R(l,e),f=R(f,e),u=R(u,e),r[i]=s<<24|u<<16|f<<8|l<<0}}function At(t,e,o="rgb565"){if(!t||!t.buffer)throw new Error("quantize() expected RGBA Uint8Array data");if(!(t instanceof Uint8Array)&&!(t instanceof Uint8ClampedArray))throw new Error("quantize() expected RGBA Uint8Array data");if(e.length>256)throw new Error("applyPalette() only works with 256 colors or less");let n=new Uint32Array(t.buffer),r=n.length,i=o==="rgb444"?4096:65536,c=new Uint8Array(r),s=new Array(i),u=o==="rgba4444";if(o==="rgba4444")for(let f=0;f<r;f++){let l=n[f],a=l>>24&255,g=l>>16&255,w=l>>8&255,p=l&255,h=tt(p,w,g,a),v=h in s?s[h]:s[h]=kt(p,w,g,a,e);c[f]=v}else{let f=o==="rgb444"?et:Q;for(let l=0;l<r;l++){let a=n[l],g=a>>16&255,w=a>>8&255,p=a&255,h=f(p,w,g),v=h in s?s[h]:s[h]=Bt(p,w,g,e);c[l]=v}}return c}function kt(t,e,o,n,r){let i=0,c=1e100;for(let s=0;s<r.length;s++){let u=r[s],f=u[3],l=T(f-n);if(l>c)continue;let a=u[0];if(l+=T(a-t),l>c)continue;let g=u[1];if(l+=T(g-e),l>c)continue;let w=u[2];l+=T(w-o),!(l>c)&&(c=l,i=s)}return i}function Bt(t,e,o,n){let r=0,i=1e100;for(let c=0;c<n.length;c++){let s=n[c],u=s[0],f=T(u-t);if(f>i)continue;let l=s[1];if(f+=T(l-e),f>i)continue;let a=s[2];f+=T(a-o),!(f>i)&&(i=f,r=c)}return r}function Ct(t,e,o=5){if(!t.length||!e.length)return;let n=t.map(c=>c.slice(0,3)),r=o*o,i=t[0].length;for(let c=0;c<e.length;c++){let s=e[c];s.length<i?s=[s[0],s[1],s[2],255]:s.length>i?s=s.slice(0,3):s=s.slice();let u=rt(n,s.slice(0,3),q),f=u[0],l=u[1];l>0&&l<=r&&(t[f]=s)}}function T(t){return t*t}function nt(t,e,o=q){let n=1/0,r=-1;for(let i=0;i<t.length;i++){let c=t[i],s=o(e,c);s<n&&(n=s,r=i)}return r}function rt(t,e,o=q){let n=1/0,r=-1;for(let i=0;i<t.length;i++){let c=t[i],s=o(e,c);s<n&&(n=s,r=i)}return[r,n]}function Mt(t,e,o=q){return t[nt(t,e,o)]}function ot(t={}){let{initialCapacity:e=4096,auto:o=!0}=t,n=X(e),r=5003,i=new Uint8Array(256),c=new Int32Array(r),s=new Int32Array(r),u=!1;return{reset(){n.reset(),u=!1},finish(){n.writeByte(pt.trailer)},bytes(){return n.bytes()},bytesView(){return n.bytesView()},get buffer(){return n.buffer},get stream(){return n},writeHeader:f,writeFrame(l,a,g,w={}){let{transparent:p=!1,transparentIndex:h=0,delay:v=0,palette:d=null,repeat:M=0,colorDepth:x=8,dispose:b=-1}=w,A=!1;if(o?u||(A=!0,f(),u=!0):A=!!w.first,a=Math.max(0,Math.floor(a)),g=Math.max(0,Math.floor(g)),A){if(!d)throw new Error("First frame must include a { palette } option");_t(n,a,g,d,x),Z(n,d),M>=0&&Et(n,M)}let E=Math.round(v/10);It(n,b,E,p,h);let y=!!d&&!A;St(n,a,g,y?d:null),y&&Z(n,d),Tt(n,l,a,g,x,i,c,s)}};function f(){it(n,"GIF89a")}}function It(t,e,o,n,r){t.writeByte(33),t.writeByte(249),t.writeByte(4),r<0&&(r=0,n=!1);var i,c;n?(i=1,c=2):(i=0,c=0),e>=0&&(c=e&7),c<<=2,t.writeByte(0|c|0|i),S(t,o),t.writeByte(r||0),t.writeByte(0)}function _t(t,e,o,n,r=8){let s=O(n.length)-1,u=128|r-1<<4|0|s,f=0,l=0;S(t,e),S(t,o),t.writeBytes([u,f,l])}function Et(t,e){t.writeByte(33),t.writeByte(255),t.writeByte(11),it(t,"NETSCAPE2.0"),t.writeByte(3),t.writeByte(1),S(t,e),t.writeByte(0)}function Z(t,e){let o=1<<O(e.length);for(let n=0;n<o;n++){let r=[0,0,0];n<e.length&&(r=e[n]),t.writeByte(r[0]),t.writeByte(r[1]),t.writeByte(r[2])}}function St(t,e,o,n){if(t.writeByte(44),S(t,0),S(t,0),S(t,e),S(t,o),n){let c=O(n.length)-1;t.writeByte(128|c)}else t.writeByte(0)}function Tt(t,e,o,n,r=8,i,c,s){yt(o,n,e,r,t,i,c,s)}function S(t,e){t.writeByte(e&255),t.writeByte(e>>8&255)}function it(t,e){for(var o=0;o<e.length;o++)t.writeByte(e.charCodeAt(o))}function O(t){return Math.max(Math.ceil(Math.log2(t)),1)}var Ut=ot});var z=ut(st(),1);var N=t=>t.replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replaceAll('"',"&quot;"),zt=`
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #23211d; --line: #8a8578; --here: #f0d98a; --on-here: #23211d; }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1c1e; --ink: #e9e6df; --line: #8d8a82; } }
body { margin: 0 auto; padding: 16px; max-width: 1080px; background: var(--paper); color: var(--ink); font: 17px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4em; margin: 0 0 8px; }
.both { display: flex; flex-wrap: wrap; gap: 24px; }
#board { flex: 1 1 340px; max-width: min(100%, 80vh); }
#board svg { display: block; width: 100%; height: auto; background: #fff; border-radius: 6px; }
.side { flex: 1 1 240px; }
button { font: inherit; min-width: 44px; min-height: 44px; color: inherit; background: none; border: 1px solid var(--line); border-radius: 6px; }
button:focus-visible { outline: 3px solid #2f6bd0; outline-offset: 2px; }
#moves { display: flex; flex-wrap: wrap; gap: 4px; padding: 0; margin: 12px 0; list-style: none; }
#moves button { min-height: 40px; padding: 0 10px; border-color: transparent; }
#moves button + button { min-width: 24px; padding-left: 0; }
#moves button:has(+ button) { padding-right: 0; }
#moves [aria-current] { background: var(--here); color: var(--on-here); text-decoration: underline; }
`,Pt=`
const game = JSON.parse(document.getElementById("game").textContent);
let at = 0;
const by = (id) => document.getElementById(id);
const list = by("moves");
game.plies.forEach(({ text, joined }, ply) => {
  const button = document.createElement("button");
  button.textContent = joined ?? text;
  button.onclick = () => show(ply + 1);
  if (joined === null) list.append(document.createElement("li"));
  list.lastChild.append(button);
});
function show(to) {
  at = Math.max(0, Math.min(game.frames.length - 1, to));
  by("board").innerHTML = game.frames[at].map((line) => game.lines[line]).join("\\n");
  by("says").textContent = game.says[at];
  list.querySelectorAll("button").forEach((button, ply) =>
    ply + 1 === at ? button.setAttribute("aria-current", "step") : button.removeAttribute("aria-current"));
}
by("first").onclick = () => show(0);
by("back").onclick = () => show(at - 1);
by("next").onclick = () => show(at + 1);
by("last").onclick = () => show(game.frames.length - 1);
addEventListener("keydown", (event) => {
  if (event.key === "ArrowLeft") show(at - 1);
  if (event.key === "ArrowRight") show(at + 1);
});
show(0);
`;function at(t){let e=t.at(-1),o=new Map,n=f=>o.get(f)??(o.set(f,o.size),o.size-1),r=t.map(f=>f.svg.split(`
`).map(n)),i=e.plies.map(({text:f,joined:l,turn:a})=>({text:f,joined:a?null:l??null})),c=t.map((f,l)=>{let a=e.plies[l-1];return(a?`${l}. ${a.by}: ${a.text}. `:"The start. ")+(f.over?f.prompt:"")}),s=JSON.stringify({lines:[...o.keys()],frames:r,plies:i,says:c}).replaceAll("<","\\u003c"),u=N(e.title);return`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${u}</title>
<style>${zt}</style>
</head>
<body>
<h1>${u}</h1>
<div class="both">
<div id="board"></div>
<div class="side">
<div>
<button id="first" aria-label="To the start">\u23EE</button>
<button id="back" aria-label="Back">\u25C0</button>
<button id="next" aria-label="Forward">\u25B6</button>
<button id="last" aria-label="To the end">\u23ED</button>
</div>
<p id="says" role="status"></p>
<ol id="moves"></ol>
<p>${N(e.variant)}, position at the end: <code>${N(e.position)}</code></p>
</div>
</div>
<script type="application/json" id="game">${s}<\/script>
<script>${Pt}<\/script>
</body>
</html>
`}var Ft="#ffffff";function $t(t,e){let o=URL.createObjectURL(e),n=document.createElement("a");n.href=o,n.download=t,n.click(),setTimeout(()=>URL.revokeObjectURL(o),1e4)}async function ct(t,e){let o=/viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(t),[n,r]=[Number(o?.[1]??1),Number(o?.[2]??1)],i=Math.round(e*r/n),c=t.replace("<svg ",`<svg width="${e}" height="${i}" `),s=URL.createObjectURL(new Blob([c],{type:"image/svg+xml"}));try{let u=new Image;u.src=s,await u.decode();let f=document.createElement("canvas");[f.width,f.height]=[e,i];let l=f.getContext("2d",{willReadFrequently:!0});return l.fillStyle=Ft,l.fillRect(0,0,e,i),l.drawImage(u,0,0,e,i),l}finally{URL.revokeObjectURL(s)}}async function Ot(t){let{canvas:e}=await ct(t,1200);return new Promise((o,n)=>e.toBlob(r=>r?o(r):n(new Error("the picture is too large")),"image/png"))}async function lt(t,e,o){let n=[];for(let r=0;r<=t.moves.length;r+=1){let i=r===t.moves.length;n.push(await J({...t,moves:t.moves.slice(0,r),resigned:i?t.resigned:null},e)),o(r/(t.moves.length+1))}return n}async function Vt(t,e,o){let n=await lt(t,e,i=>o(i/2)),r=(0,z.GIFEncoder)();for(let[i,c]of n.entries()){if(e.aborted)break;let{canvas:s}=await ct(c.svg,480).then(a=>a),{data:u}=s.getContext("2d").getImageData(0,0,s.width,s.height),f=(0,z.quantize)(u,64),l=i===n.length-1?3e3:800;r.writeFrame((0,z.applyPalette)(u,f),s.width,s.height,{palette:f,delay:l,repeat:0}),o(.5+(i+1)/n.length/2),await new Promise(a=>setTimeout(a))}return r.finish(),new Blob([r.bytes()],{type:"image/gif"})}async function Nt(t,e,o){let n=await lt(t,e,o);return new Blob([at(n)],{type:"text/html"})}export{Vt as gif,Nt as page,Ot as png,$t as save};
