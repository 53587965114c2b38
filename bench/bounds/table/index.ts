import { INPUTS, type InputName, type Rows } from './inputs.ts'
import { INSIDE } from './inside.ts'
import { OUTSIDE } from './outside.ts'
import { SHOWN } from './shown.ts'

/**
 * Folders and files whose texts come from the user, such as input in a terminal or in Settings, or from this
 * computer. Their functions are in no table, unless a row names the file.
 */
export const OWN: Readonly<Record<string, string>> = {
  'src/main/cli/': 'what is typed at the user’s own terminal, which is a process of its own',
  'src/main/app/': 'the folder of a chat, as the user chose it',
  'src/main/files/workspace.ts': 'the folder of a chat, as the user chose it',
  'src/main/desktop/': 'addresses of our own page, and arguments of a start',
  'src/main/help/': 'the documents that ship with Talaria, and what is typed into their search',
  'src/main/page-server/': 'tables of this system, and our own page',
  'src/main/skills/ask-about-skill.ts': 'our own index of skills',
  'src/main/skills/sample-questions.ts': 'our own index of skills',
  'src/main/skills/setup-handlers.ts': 'the name of a key of a skill',
  'src/main/other-agents/connect/entry-file.ts': 'our own entry in the settings of another program',
  'src/main/models/server-entry.ts': 'the address of a server, typed',
  'src/main/models/files/model-paths.ts': 'the path of a model, typed',
  'src/main/config/known-keys.ts': 'addresses and keys of the user’s settings',
  'src/main/learning/outside-chats/review-texts.ts': 'a path, typed',
  'src/main/lib/columns-of.ts': 'names of our own columns',
  'src/main/lib/posix-zone.ts': 'the time zone of this computer',
  'src/main/lib/network/proxy-address.ts': 'the proxy of this computer',
  'src/main/lib/trusted-publishers.ts': 'addresses in the user’s settings',
  'src/main/lib/built-page.ts': 'paths of our own page',
  'src/renderer/features/models/': 'what is typed into a form',
  'src/renderer/features/settings/': 'what is typed into a form',
  'src/renderer/features/skills/': 'what is typed into an editor',
  'src/renderer/palette/': 'what is typed into the palette',
  'src/renderer/route.ts': 'the address of our own page',
  'src/renderer/ui/text/place-elements.tsx': 'our own sentences; what stands in their places is not read',
  'src/renderer/ui/fields/typed-texts.ts': 'the place of a field, as the window names it',
  'src/renderer/ui/fields/write-into.ts': 'what a button writes into a field',
  'src/shared/text/read-checksum.ts': 'a checksum, typed',
  'src/shared/contract/areas.ts': 'the name of a call, typed',
}

/** All rows: every file with functions that read texts from others. */
export const ROWS: Rows = { ...INSIDE, ...OUTSIDE, ...SHOWN }

/** A function of the table. `input` is the kind of text that it reads. */
export type Row = { file: string; name: string; input: InputName }

/** The functions of rows. Throws an error that names a row that cannot be read. */
export function readRows(rows: Rows = ROWS): Row[] {
  return Object.entries(rows).flatMap(([file, row]) =>
    row.split('; ').flatMap(part => {
      const [input, ...names] = part.split(/:? /)
      if (!isInput(input) || names.length === 0)
        throw new Error(`${file}: “${part}” is no kind of text with names of functions behind it.`)
      return names.map(name => ({ file, name, input }))
    }),
  )
}

const isInput = (name: string | undefined): name is InputName =>
  name !== undefined && Object.hasOwn(INPUTS, name)

/** Why the texts that a file reads do not count here; undefined if they may come from others. */
export const whyOwn = (file: string): string | undefined =>
  Object.entries(OWN).find(
    ([place]) => file === place || (place.endsWith('/') && file.startsWith(place)),
  )?.[1]
