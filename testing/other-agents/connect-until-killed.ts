import type { Person } from './a-connection.ts'
import { someConnections } from './a-connection.ts'
import { settingsEditor } from './settings-editor.ts'

/**
 * Connect and disconnect a program repeatedly until killed. Prints `ready` at the start. Arguments: the
 * user's folder, and Talaria's folder.
 */
const [user = '', home = ''] = process.argv.slice(2)
const { apply } = someConnections({ user, home } as Person, [settingsEditor])
process.stdout.write('ready\n')
for (;;) {
  await apply('connect')
  await apply('remove')
}
