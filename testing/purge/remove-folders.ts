import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Holding } from '../../src/main/lib/removal/own-folder.ts'
import { removeTree } from '../../src/main/lib/removal/remove-tree.ts'

/** Remove each folder in a folder, and print what is left. Arguments: the folder, and how folders are held. */
const [folder = '', how = ''] = process.argv.slice(2)
const holding: Holding = how === 'paths' ? 'paths' : 'descriptors'
const left = []
for (const name of readdirSync(folder)) left.push(...(await removeTree(join(folder, name), { holding })))
process.stdout.write(JSON.stringify(left))
