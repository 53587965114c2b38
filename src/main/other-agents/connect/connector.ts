import type { ConnectProgram } from '../../../shared/contract/connections/connect.ts'

/** Where things of the user lie. Tests give folders of their own. */
export type Places = {
  /** The home folder of the user. */
  user: string
  /** The home folder of Talaria. */
  home: string
  env: Readonly<Record<string, string | undefined>>
}

/** How another program starts our MCP server: absolute paths, and the variables it gets. */
export type Launch = { command: string; args: readonly string[]; env: Readonly<Record<string, string>> }

/** A skill that the user accepted, as it is put into the other program. */
export type SharedSkillFolder = { name: string; files: readonly { name: string; text: string }[] }

/** What a connector makes its folder of. */
export type ConnectInput = {
  /** The folder under our home that is ours alone: `<home>/connect/<program>`. */
  folder: string
  /** The spool: `<home>/inbox/<program>`. */
  inbox: string
  /** The snapshot that the script reads: `<folder>/snapshot.json`. */
  snapshot: string
  launch: Launch
  /** The file of Node to run scripts of ours with, for programs that bring none of their own: `node` where none was found. */
  node: string
  /** What to be called in the other program: `talaria`, or `talaria-<8 hex digits>` for a home that is not the usual one. */
  label: string
  skills: readonly SharedSkillFolder[]
  version: string
}

/** A change of a file of the other program. `after` undefined removes the file; `before` undefined: there is none yet. */
export type FileEdit = { path: string; before: string | undefined; after: string | undefined }

/** One program that Talaria can be put into: what is written under our home, what is changed elsewhere, and what is run. Pure, save `find`. */
export type Connector = {
  program: ConnectProgram
  title: string
  /** The program's file to run; undefined where it is not installed. */
  find(places: Places): Promise<string | undefined>
  /** The files of our folder, by their names in it, with `/` between folders. Skills belong below `…/skills/<name>/`: the snapshot names them there. */
  files(given: ConnectInput): { name: string; text: string }[]
  /** Changes of the program's own settings, given how they are read; empty when its own command makes them. */
  edits(
    places: Places,
    given: ConnectInput,
    read: (path: string) => Promise<string | undefined>,
  ): Promise<FileEdit[]>
  /** The same undone: what we put in goes, and what the user changed meanwhile stays. */
  undo(
    places: Places,
    given: ConnectInput,
    read: (path: string) => Promise<string | undefined>,
  ): Promise<FileEdit[]>
  /** The program's own commands that put the folder in or take it out, as words. */
  commands(given: ConnectInput, what: 'connect' | 'remove'): string[][]
  /** Files of the program that its own commands change. They get their bytes back at removal, if only empty leftovers tell them apart. */
  touched?(places: Places): string[]
  /** What is missing in the program itself, as a sentence; undefined when it has all of it. */
  missing?(
    places: Places,
    given: ConnectInput,
    read: (path: string) => Promise<string | undefined>,
  ): Promise<string | undefined>
  /** Why no event may come from it for days, as a sentence. */
  whenQuiet?: string
}

/**
 * What our scripts inside other programs read, without any host: `snapshot.json`. `learn` false: they write no event. `about` and
 * `folders` are what may be put before the model, cut to fit.
 */
export type Snapshot = {
  v: 1
  learn: boolean
  inbox: string
  /** About you, as lines; empty when it may not be read. */
  about: string
  /** Notes: of everywhere under "", and of single folders by their absolute path. */
  folders: Record<string, string>
  /** Folders of skills that may be offered. */
  skills: string[]
}
