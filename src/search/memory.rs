//! Memory of tables and trees.

use bytemuck::Zeroable;

/// So many values that are all zero, in large pages where the system has them: what is read lies far apart, and to find
/// the page of each would take as long as to read it. The system gives the memory when it is first written.
pub(super) fn zeroed<T: Zeroable>(count: usize) -> Box<[T]> {
    let values: Box<[T]> = bytemuck::zeroed_slice_box(count);
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        let skip = values.as_ptr().cast::<u8>().align_offset(PAGE);
        let rest = size_of_val(&*values).saturating_sub(skip);
        // SAFETY: this is advice about memory that is ours, and changes no value.
        #[allow(unsafe_code, reason = "see above")]
        unsafe {
            let from = values.as_ptr().cast::<u8>().wrapping_add(skip).cast_mut();
            libc::madvise(from.cast(), rest, libc::MADV_HUGEPAGE)
        };
    }
    values
}
