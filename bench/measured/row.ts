/** The goal for a figure. It stands beside the figure, with a remark if it is missed. */
export type Goal = { figure: string; least?: number; most?: number; unit?: string }

/** A line of a page about one record. */
export type Row = {
  /** What is measured, in words. */
  what: string
  /** What it is measured on: the set, the form of the answer, the model. */
  on: string
  /** The name of the record, as in `bench/records.json`. */
  record: string
  /**
   * The text with the figures, such as `{anyWhole%} (all: {allWhole%})`: names from the record in braces,
   * with `%` for a share.
   */
  shows: string
  goals?: readonly Goal[]
}

/** A section of a page: its heading, a sentence or two, and its lines. */
export type Section = { title: string; says: string; rows: readonly Row[] }

/** A page of `docs/measurements`: its file name, its title, and its sections in order. */
export type Page = { file: string; title: string; sections: readonly Section[] }
