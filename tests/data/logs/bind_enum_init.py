import bind_enum_init_ext

bind_enum_init_ext.Box()
