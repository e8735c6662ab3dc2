//! Memory of tables and trees.

use bytemuck::Zeroable;

/// At most so many values that are all zero: half as many, and half of that, where the system has no room for them. An
/// agent with less memory still plays.
pub(super) fn zeroed<T: Zeroable>(most: usize) -> Box<[T]> {
    let mut count = most;
    loop {
        if let Some(values) = try_zeroed(count) {
            return values;
        }
        count /= 2;
    }
}

/// So many values that are all zero, in large pages where the system has them: what is read lies far apart, and to find
/// the page of each would take as long as to read it. The system gives the memory when it is first written; none where
/// it says at once that there is not so much.
pub(super) fn try_zeroed<T: Zeroable>(count: usize) -> Option<Box<[T]>> {
    let values: Box<[T]> = bytemuck::try_zeroed_slice_box(count).ok()?;
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
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_is_taken_where_there_is_less() {
        const TOO_MANY: usize = usize::MAX / size_of::<u64>();
        assert!(try_zeroed::<u64>(TOO_MANY).is_none());
        let values = zeroed::<u64>(TOO_MANY);
        assert!(!values.is_empty() && values.len() < TOO_MANY);
        assert_eq!((values.first(), values.last()), (Some(&0), Some(&0)));
    }
}
