/** Starts an engine process: `child_process.fork` on a server, `utilityProcess.fork` on the desktop. */
export type SpawnEngine = (script: string, env: NodeJS.ProcessEnv, switches: string[]) => EngineChild

/** The methods that both kinds of child process have in common. */
export type EngineChild = {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Called once. `how`: a signal's name, Electron's reason, a number, or `exit code` and some number. */
  onExit(listener: (how: string) => void): void
  /** Kill the process, even if it does not respond. */
  kill(): void
}
