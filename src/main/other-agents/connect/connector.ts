import type { ConnectProgram } from '../../../shared/contract/connections/connect.ts'

/** The user's folders. Tests replace them. */
export type Places = {
  /** The user's home folder. */
  user: string
  /** Talaria's home folder. */
  home: string
  env: Readonly<Record<string, string | undefined>>
}

/** How another program starts our MCP server: with absolute paths and these variables. */
export type Launch = { command: string; args: readonly string[]; env: Readonly<Record<string, string>> }

/** An accepted skill, as it is put into the other program. */
export type SharedSkillFolder = { name: string; files: readonly { name: string; text: string }[] }

/** The input from which a connector makes its files. */
export type ConnectInput = {
  /** The connector's own folder under our home: `<home>/connect/<program>`. */
  folder: string
  /** The spool: `<home>/inbox/<program>`. */
  inbox: string
  /** The snapshot that the script reads: `<folder>/snapshot.json`. */
  snapshot: string
  launch: Launch
  /** The path of Node for our scripts, for programs without their own; `node` if none was found. */
  node: string
  /** Our name in the other program: `talaria`, or `talaria-<8 hex digits>` for an unusual home. */
  label: string
  skills: readonly SharedSkillFolder[]
  version: string
}

/** A change of another program's file. `after` undefined removes it; `before` undefined: it is new. */
export type FileEdit = { path: string; before: string | undefined; after: string | undefined }

/** A program to connect to: files under our home, changes elsewhere, commands. Pure except for `find`. */
export type Connector = {
  program: ConnectProgram
  title: string
  /** Return the program's executable; undefined if it is not installed. */
  find(places: Places): Promise<string | undefined>
  /** Return the files for our folder; names may contain `/`. The snapshot reads `…/skills/<name>/`. */
  files(given: ConnectInput): { name: string; text: string }[]
  /** Return the changes of the program's settings; empty if its own command makes them. */
  edits(
    places: Places,
    given: ConnectInput,
    read: (path: string) => Promise<string | undefined>,
  ): Promise<FileEdit[]>
  /** Return the changes that remove our parts, keeping what the user changed in the meantime. */
  undo(
    places: Places,
    given: ConnectInput,
    read: (path: string) => Promise<string | undefined>,
  ): Promise<FileEdit[]>
  /** Return the program's own commands that add or remove the folder, as words. */
  commands(given: ConnectInput, what: 'connect' | 'remove'): string[][]
  /** Return files that those commands change. Removal restores them if only empty leftovers differ. */
  touched?(places: Places): string[]
  /** Return what is missing in the program itself, as a sentence; undefined if nothing. */
  missing?(
    places: Places,
    given: ConnectInput,
    read: (path: string) => Promise<string | undefined>,
  ): Promise<string | undefined>
  /** Why no events may come from it for days, as a sentence. */
  whenQuiet?: string
}

/**
 * The file that our scripts inside other programs read without a host: `snapshot.json`. If `learn` is false,
 * they write no events. `about` and `folders`: texts that may be put before the model, cut to fit.
 */
export type Snapshot = {
  v: 1
  learn: boolean
  inbox: string
  /** Facts about the user, as lines; empty if they may not be read. */
  about: string
  /** Notes: global ones under "", those of single folders by absolute path. */
  folders: Record<string, string>
  /** Folders of skills that may be offered. */
  skills: string[]
}
