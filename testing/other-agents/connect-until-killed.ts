import type { Person } from './a-connection.ts'
import { someConnections } from './a-connection.ts'
import { settingsEditor } from './settings-editor.ts'

/**
 * Connect a program and take it out again, over and over, until killed. It says `ready` once it begins. Arguments: the folder of the
 * user, and that of Talaria.
 */
const [user = '', home = ''] = process.argv.slice(2)
const { apply } = someConnections({ user, home } as Person, [settingsEditor])
process.stdout.write('ready\n')
for (;;) {
  await apply('connect')
  await apply('remove')
}
