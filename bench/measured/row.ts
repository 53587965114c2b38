/** What a figure should be. It is said beside the figure, and that it is missed where it is. */
export type Goal = { figure: string; least?: number; most?: number; unit?: string }

/** A line of MEASURED.md about one record. */
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

/** A heading of MEASURED.md, a sentence or two, and its lines. */
export type Section = { title: string; says: string; rows: readonly Row[] }
