import { decideCall } from '../../src/main/agent/approvals/decide.ts'

// For tests: commands that a chat never runs, in any mode.

/** A computer, the folder of a chat on it, and the folder in which its command runs. */
type Where = { userHome: string; platform: NodeJS.Platform; workspace: string; folder: string }

const LINUX: Where = {
  userHome: '/home/ada',
  platform: 'linux',
  workspace: '/home/ada/notes',
  folder: '/home/ada/notes',
}
/** A chat on Windows. */
export const WINDOWS: Where = {
  userHome: 'C:\\Users\\ada',
  platform: 'win32',
  workspace: 'C:\\notes',
  folder: 'C:\\notes',
}

type Mode = Parameters<typeof decideCall>[0]['mode']

/** Why a chat never runs a command; undefined if the chat would at most ask. */
export function refusalInChat(
  command: string,
  given: Partial<Where> = {},
  mode: Mode = 'full',
): string | undefined {
  const { userHome, platform, workspace, folder } = { ...LINUX, ...given }
  const found = decideCall({
    tool: 'terminal',
    intent: {
      title: 'Run a command',
      detail: command,
      risk: 'execute',
      inWorkspace: true,
      command,
      workspace,
      folder,
    },
    mode,
    grants: [],
    rights: { confined: false, whyNot: 'no bubblewrap', offline: false },
    userHome,
    platform,
  })
  if (found.verdict !== 'deny') return undefined
  return /^This never runs, in any mode\. (.+)$/.exec(found.reason)?.[1]
}
