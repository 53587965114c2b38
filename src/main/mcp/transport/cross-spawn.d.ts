declare module 'cross-spawn' {
  /** Like `spawn` of Node, also for scripts on Windows. The package has no types of its own. */
  const spawn: typeof import('node:child_process').spawn
  export default spawn
}
