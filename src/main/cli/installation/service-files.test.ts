import { expect, test } from 'vitest'
import { serviceFile } from './service-files.ts'

const launch = {
  program: '/opt/Talaria app/node',
  args: ['/opt/talaria/cli.js', 'serve', '--home', '/home/ada/50% & "more" $HOME'],
}
const place = { userHome: '/home/ada', configFolder: '/home/ada/.config', user: 'ada' }

test.for(['linux', 'darwin', 'win32'] as const)('the file that starts the server on %s', async platform => {
  const { path, content, enable, disable } = serviceFile(launch, { ...place, platform })
  expect(path.startsWith('/home/ada')).toBe(true)
  await expect(`${path}\n${enable}\n${disable}\n\n${content}`).toMatchFileSnapshot(
    `service-${platform}.golden.txt`,
  )
})
