/** The bounds that a figure should keep. A page shows them beside the figure, and says so if they are missed. */
export type Goal = { figure: string; least?: number; most?: number; unit?: string }

/** A line of a page about one record. */
export type Row = {
  /** What is measured, in words. */
  what: string
  /** On what: the set, the form of the answer, the model. */
  on: string
  /** The name of the record, as in `bench/records.json`. */
  record: string
  /** The figures, such as `{anyWhole%} (all: {allWhole%})`: names of the record between braces, with `%` for a share. */
  shows: string
  goals?: readonly Goal[]
}

/** A heading of a page, a sentence or two, and its lines. */
export type Section = { title: string; says: string; rows: readonly Row[] }

/** A page of `docs/measurements`: its file name, its title, and its sections in order. */
export type Page = { file: string; title: string; sections: readonly Section[] }
