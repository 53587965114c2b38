import type { SkillImport } from '../../../shared/contract/skill-imports.ts'

/** One file that could be imported. Nothing but its name and size is known yet. */
export type SourceFile = {
  /** Relative, with `/`, and safe on every system. */
  path: string
  bytes: number
  isProgram: boolean
}

/** A name that is not among the files, and why, as it goes on “…:”. */
export type LeftOut = { name: string; why: string }

/** Where skills are fetched: what there is, and how to read it. */
export type Source<F extends SourceFile = SourceFile> = {
  from: SkillImport['source']
  /** The path of its root within what `from` names; empty when that is the same. */
  within: string
  /** What a skill at its root is called when it says nothing itself. */
  name: string
  files: readonly F[]
  leftOut: readonly LeftOut[]
  /** Read files whole, in any order; what turns out to be no file any more is not among them. */
  read(files: readonly F[], signal: AbortSignal): AsyncIterable<{ file: F; bytes: Uint8Array }>
}
