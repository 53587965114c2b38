import type { Readable } from 'node:stream'
import type { Notice } from '../../shared/contract/app.ts'
import type { PromptSection } from '../agent/prompt.ts'
import type { StepSource } from '../runs/turn-runner.ts'
import type { ConfinementState } from '../confinement/probe-confinement.ts'
import type { desktop } from '../../shared/contract/desktop.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import type { Config } from '../config/schema.ts'
import type { OpenVault } from '../config/vault.ts'
import type { GatewayOptions } from '../gateway/gateway-parts.ts'
import type { SpawnEngine } from '../models/interface/engine-child.ts'
import type { OtherOption } from '../projects/other-options.ts'
import type { Tool } from '../tools/registry/tool.ts'
import type { RequestGate, Updater } from '../updates/updater.ts'
import type { FetchAddress, ReadFetched } from '../web/web-parts.ts'

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
