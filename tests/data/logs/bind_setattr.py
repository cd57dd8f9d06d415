import bind_setattr_ext

bind_setattr_ext.Box().v = 3
