/**
 * The names of WASI preview 1 (`wasi_snapshot_preview1.witx` of the WebAssembly/WASI repository). All are linked, most answer ENOSYS.
 */
export const PREVIEW1 = 'wasi_snapshot_preview1';

export const PREVIEW1_NAMES: readonly string[] = [
  ...'args_get args_sizes_get environ_get environ_sizes_get clock_res_get clock_time_get'.split(' '),
  ...'fd_advise fd_allocate fd_close fd_datasync fd_fdstat_get fd_fdstat_set_flags fd_fdstat_set_rights'.split(' '),
  ...'fd_filestat_get fd_filestat_set_size fd_filestat_set_times fd_pread fd_prestat_get fd_prestat_dir_name'.split(
    ' ',
  ),
  ...'fd_pwrite fd_read fd_readdir fd_renumber fd_seek fd_sync fd_tell fd_write'.split(' '),
  ...'path_create_directory path_filestat_get path_filestat_set_times path_link path_open path_readlink'.split(' '),
  ...'path_remove_directory path_rename path_symlink path_unlink_file'.split(' '),
  ...'poll_oneoff proc_exit proc_raise random_get sched_yield'.split(' '),
  ...'sock_accept sock_recv sock_send sock_shutdown'.split(' '),
];
