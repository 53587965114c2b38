/** How an engine process is started: `child_process.fork` on a server, `utilityProcess.fork` on the desktop. */
export type SpawnEngine = (script: string, env: NodeJS.ProcessEnv, switches: string[]) => EngineChild

/** What both kinds of child process have in common. */
export type EngineChild = {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /**
   * Called once; `how` is the name of a signal, the reason that Electron gives, a number, or `exit code` and a number that
   * may stand for anything.
   */
  onExit(listener: (how: string) => void): void
  /** End it for certain, even if it does not react. */
  kill(): void
}
