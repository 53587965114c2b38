/** Whether a window can open here. On Linux that needs a display server; other systems always have one. */
export const hasDisplay = (env: NodeJS.ProcessEnv = process.env): boolean =>
  process.platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
