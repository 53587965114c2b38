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
  /** Notices for the user, besides those of the host itself. */
  notices?: readonly Notice[]
  /** The desktop around the windows; absent if there is none. */
  desktop?: DesktopHandlers
  /** Return this copy's updater, whose requests pass the gate; undefined or absent if it cannot update. */
  openUpdater?: ((gate: RequestGate) => Updater | undefined) | undefined
  /** Return a new address that opens one window in a browser; absent if this host serves no pages. */
  newAddress?: () => string | undefined
  /** Return how many bytes can still be written to a folder. Default: the system's answer. */
  roomIn?: (folder: string) => number
  /** Encrypts API keys; without it they are stored in `.env`. */
  openVault?: OpenVault
  /** Return whether this computer runs on mains power; undefined if unknown. Default: what Linux reports. */
  isOnMains?: () => boolean | undefined
  /** Keeps the computer awake until the returned function is called; without this, it may sleep. */
  keepAwake?: () => () => void
  /** The IANA zone of this computer; default the system's. */
  zone?: () => string
  /** The folder of the bundled skills; the default is the one next to the code. */
  bundledSkills?: string
  /**
   * Return whether commands can be confined here; by default it is tried. Tests try it once for all hosts.
   */
  confinement?: () => Promise<ConfinementState>
  /** The clock, in epoch ms; default the system's. */
  now?: () => number
  /** How to fetch web addresses and read pages; default Talaria's own way. Tests serve the web locally. */
  web?: { fetchAddress: FetchAddress; readFetched: ReadFetched }
  /** Messengers and who may write there; tests bring their own. */
  gateway?: GatewayOptions
  /** Serve other programs regardless of the settings. */
  answersPrograms?: boolean
  /** The tools that exist; default the core ones. */
  tools?: readonly Tool[]
  /** Additions to chats beyond those of the features. */
  contributions?: {
    sections?: readonly PromptSection[]
    options?: readonly OtherOption[]
    steps?: readonly StepSource[]
  }
}

/** The parts of the desktop around a window: dialogs, file manager, and requests to the window. */
export type DesktopHandlers = Pick<HostHandlers, keyof typeof desktop>

/** The settings that only the desktop app uses. */
export type DesktopSettings = Config['desktop']

/** The whole product behind one contract. `close` closes every part once, in reverse order of opening. */
export type Host = {
  handlers: HostHandlers
  home: string
  /** The notice of a read-only host. If the disk is full, it goes away once there is room. */
  readonly reading: Notice | undefined
  report(error: unknown): void
  desktopSettings(): DesktopSettings
  /**
   * Start the schedules that are due. Checked every half minute; also call this when the computer wakes up.
   */
  lookAtClock(this: void): void
  /** Receive a file's bytes from a page. Never rejects because of the page or the disk. */
  receiveUpload(
    this: void,
    id: string,
    body: Readable,
    length: number,
  ): Promise<{ ok: true } | { ok: false; text: string }>
  close(): Promise<void>
}
