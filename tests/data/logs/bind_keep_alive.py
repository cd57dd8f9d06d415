import bind_keep_alive_ext

bind_keep_alive_ext.g(1)
