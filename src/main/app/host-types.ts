import type { Readable } from 'node:stream'
import type { HostHandlers } from '../shared/contract/index.ts'
import type { Tool } from './tools/tool.ts'

/** How an engine process is started: `child_process.fork` on a server, `utilityProcess.fork` on the desktop. */
export type SpawnEngine = (script: string, env: NodeJS.ProcessEnv) => EngineChild

/** The little that both kinds of child process have in common. */
export type EngineChild = {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Called once; `how` is an exit code or the name of a signal. */
  onExit(listener: (how: string) => void): void
  kill(): void
}

/** Keeps texts with the system’s own encryption. `renew` asks to seal a text anew, because the system has changed its key. */
export type Vault = {
  seal(text: string): Promise<Buffer>
  open(sealed: Buffer): Promise<{ text: string; renew: boolean }>
}

export type HostOptions = {
  hosting: 'desktop' | 'headless' | 'cli'
  /** The home folder; default `TALARIA_HOME`, then `~/.talaria`. */
  home?: string
  /** The folder that new chats work in; default the user's home. */
  workspace?: string
  spawnEngine?: SpawnEngine
  /** Where keys are kept safe; without one they are in `.env`. */
  vault?: Vault | undefined
  /** The folder of the skills that ship; default the one beside the code. */
  bundledSkills?: string
  /** The tools that exist; default the core ones. */
  tools?: readonly Tool[]
}

/** The whole product behind one contract. `close` ends everything that lives, in reverse order of its making, once. */
export type Host = {
  handlers: HostHandlers
  home: string
  report(error: unknown): void
  /** Take the bytes of a file that a page sends; never rejects for what a page or a disk does. */
  receiveUpload(
    this: void,
    id: string,
    body: Readable,
    length: number,
  ): Promise<{ ok: true } | { ok: false; text: string }>
  close(): Promise<void>
}
