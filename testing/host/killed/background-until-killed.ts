import { openConfinement } from '../../../src/main/confinement/open-confinement.ts'
import type { Access } from '../../../src/main/confinement/profile.ts'
import { openProcesses } from '../../../src/main/processes/open-processes.ts'

/**
 * Start a command in the background and print the id of its leading process. Meant to be killed. Arguments: a
 * home folder, the folder of the chat, the command, and the access as JSON.
 */
const [home = '', folder = '', command = '', access = ''] = process.argv.slice(2)
const confiner = openConfinement({ home, readable: () => [] })
const processes = openProcesses({ now: Date.now })
const started = await processes.start({
  sessionId: 's1',
  command,
  workspace: folder,
  folder,
  access: JSON.parse(access) as Access,
  confine: confiner.prepare,
})
process.stdout.write(
  `${JSON.stringify('refused' in started ? started : { leader: started.background.leader })}\n`,
)
