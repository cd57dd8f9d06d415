import bind_copy_deleted_ext

bind_copy_deleted_ext.get()
