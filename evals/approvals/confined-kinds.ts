/**
 * Why commands that ask without confinement may run without asking in *Look*, by kind: nothing leaves the computer, nothing is written,
 * and no keys are read. The rows were labelled by these sentences and not by what the product decides. `npm run -s eval:approvals --
 * --execute` runs each of them and looks for marks, keys and connections.
 */
const KINDS = {
  git: 'A repository may name programs that git starts, and settings may hold a password. In Look git starts none of them and sees the settings of the folder alone.',
  keys: 'What it reads is known only when it runs, and keys or links out of the folder may be among it. In Look keys are empty and nothing outside is there.',
  processes:
    'It shows processes or the environment, where keys may stand. In Look both are those of the command, without keys.',
  system: 'It names folders of the system or of others. In Look only the programs of the system are there.',
  pagers:
    'A pager waits for keys and may be told to start programs. In Look it has no terminal, prints, and can change nothing.',
  programs:
    'It starts a tool that reads settings and code around it, or might ask the network. In Look it can neither write nor reach anybody.',
  shell:
    'Its shell is harder to read: loops, substitutions, functions, wrappers. Only programs that read can come of it, and in Look they can do nothing else.',
  endless:
    'It never ends by itself. The time limit and Stop end it, and the middle of what it prints is not kept.',
} as const

/** The kinds of commands that ask without confinement and run with it. */
export type ConfinedKind = keyof typeof KINDS

/** The names of the kinds. */
export const confinedKinds = Object.keys(KINDS) as [ConfinedKind, ...ConfinedKind[]]
