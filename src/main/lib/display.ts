/** Whether a window could appear here: on Linux there must be a display server, elsewhere there always is one. */
export const hasDisplay = (env: NodeJS.ProcessEnv = process.env): boolean =>
  process.platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
