import type { Readable } from 'node:stream'
import type { Notice } from '../../shared/contract/app.ts'
import type { PromptSection } from '../agent/prompt.ts'
import type { StepSource } from '../runs/turn-runner.ts'
import type { ConfinementState } from '../confinement/probe-confinement.ts'
import type { desktop } from '../../shared/contract/desktop.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import type { Config } from '../config/schema.ts'
import type { GatewayOptions } from '../gateway/gateway-parts.ts'
import type { Refusal } from '../lib/expected-errors.ts'
import type { OtherOption } from '../projects/other-options.ts'
import type { Tool } from '../tools/tool.ts'
import type { FetchAddress, ReadFetched } from '../web/web-parts.ts'

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

/** Encrypts texts with the system’s own encryption. `renew` asks to encrypt a text again, because the system changed its key. */
export type Vault = {
  seal(text: string): Promise<Buffer>
  open(sealed: Buffer): Promise<{ text: string; renew: boolean }>
}

/** Opens the vault, or finds that there is none. The system may ask the user for a password. */
export type OpenVault = () => Promise<Vault | undefined>

/** Records a request that is about to leave, and throws `OfflineError` if it may not. `end` records how it went. */
export type RequestGate = (host: string) => { end(ok: boolean): void }

/** Why an update failed, and what to do if that is not simply to try again later. */
export type UpdateTrouble = Refusal & { fix?: string }

/** Fetches and installs newer versions of the application. Trouble that a person can understand is a refusal. */
export type Updater = {
  /** The host that updates come from. */
  source: string
  /** The newer version; undefined when there is none. */
  check(): Promise<{ version: string; sizeBytes: number | null } | undefined | UpdateTrouble>
  /** Download the version that `check` found. `onShare` hears how much there is, from 0 to 1. */
  download(onShare: (share: number) => void): Promise<undefined | UpdateTrouble>
  /** Let the application end, and the new version start. */
  install(): void
}

export type HostOptions = {
  hosting: 'desktop' | 'headless' | 'cli'
  /** The home folder; default `TALARIA_HOME`, then `~/.talaria`. */
  home?: string
  /** The folder that new chats work in; default `workspace` in Talaria's home. */
  workspace?: string
  spawnEngine?: SpawnEngine
  /** Notices for the person, besides those of the host itself. */
  notices?: readonly Notice[]
  /** The system around the windows; without it there is none. */
  desktop?: DesktopHandlers
  /** Updates of this copy, with requests that pass the gate; without it, or when it finds none, there are none. */
  openUpdater?: ((gate: RequestGate) => Updater | undefined) | undefined
  /** A new address that opens one window in a browser; without it there is none. */
  newAddress?: () => string | undefined
  /** How many bytes can still be written into a folder. Default: what the system says. */
  roomIn?: (folder: string) => number
  /** Encrypts API keys; without it they are stored in `.env`. */
  openVault?: OpenVault
  /** Whether this computer runs on mains power; undefined where that is unknown. Default: what Linux reports. */
  isOnMains?: () => boolean | undefined
  /** Keeps the computer awake until the returned function is called; without it, it may sleep. */
  keepAwake?: () => () => void
  /** The IANA zone of this computer; default the system's. */
  zone?: () => string
  /** The folder of the bundled skills; default the one beside the code. */
  bundledSkills?: string
  /** Whether commands can be confined here; default is to try it. Tests try it once for all their hosts. */
  confinement?: () => Promise<ConfinementState>
  /** The clock, in epoch ms; default the system's. */
  now?: () => number
  /** How addresses of the web are fetched and pages read; default Talaria's own way. Tests have the web on this computer. */
  web?: { fetchAddress: FetchAddress; readFetched: ReadFetched }
  /** Messengers and who may speak there; tests have their own. */
  gateway?: GatewayOptions
  /** Answer other programs whatever the settings say. */
  answersPrograms?: boolean
  /** The tools that exist; default the core ones. */
  tools?: readonly Tool[]
  /** What chats get besides what the features bring. */
  contributions?: {
    sections?: readonly PromptSection[]
    options?: readonly OtherOption[]
    steps?: readonly StepSource[]
  }
}

/** What surrounds a window in the desktop app: dialogs, file manager, and requests to the window. */
export type DesktopHandlers = Pick<HostHandlers, keyof typeof desktop>

/** The settings that only the desktop app uses. */
export type DesktopSettings = Config['desktop']

/** The whole product behind one contract. `close` closes every part once, in reverse order of opening. */
export type Host = {
  handlers: HostHandlers
  home: string
  /** The notice of a host that only reads, because nothing can be saved. On a full disk it goes away once there is room. */
  readonly reading: Notice | undefined
  report(error: unknown): void
  desktopSettings(): DesktopSettings
  /** Start the schedules that are due. Talaria looks every half minute; call this when the computer wakes up. */
  lookAtClock(this: void): void
  /** Receive the bytes of a file from a page. Never rejects because of the page or the disk. */
  receiveUpload(
    this: void,
    id: string,
    body: Readable,
    length: number,
  ): Promise<{ ok: true } | { ok: false; text: string }>
  close(): Promise<void>
}
