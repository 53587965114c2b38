/**
 * What one import may bring. The largest public collections have some 500 skills of one to ten files; twice that comes.
 * What goes beyond is no collection of skills, or one that is meant to fill the disk.
 */
export const limits = {
  skills: 1_000,
  files: 5_000,
  bytes: 100_000_000,
  /** Of one skill: beyond that it is a program that brought a SKILL.md along. */
  skillFiles: 1_000,
  skillBytes: 30_000_000,
  /** Fonts and pictures are smaller; a larger file is left out. */
  fileBytes: 10_000_000,
  /** As much as `skills.save` takes, four times what the specification allows. */
  textChars: 400_000,
  /** Names that are looked at in a folder or a repository, those of other things included. */
  seen: 100_000,
  depth: 20,
  pathChars: 400,
  /** Deflate packs running text five to ten times, and nothing but a trap more than this, if it is of some size. */
  ratio: 300,
  ratioBytes: 1_000_000,
  zipBytes: 200_000_000,
  repositoryBytes: 400_000_000,
  repositoryMs: 5 * 60_000,
  /** Characters of texts and diffs in one answer; it must fit through the pipe of a terminal. */
  shownChars: 12_000_000,
  /** Imports that wait for a decision; an older one is given up. */
  waiting: 8,
} as const
