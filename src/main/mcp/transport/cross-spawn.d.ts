declare module 'cross-spawn' {
  /** Like `spawn` of Node, but also for scripts on Windows. The package has no types. */
  const spawn: typeof import('node:child_process').spawn
  export default spawn
}
