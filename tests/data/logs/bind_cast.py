import bind_cast_ext

bind_cast_ext.h('a')
