import { Fault } from '../../../shared/rpc.ts'
import { visibleName } from './visible-name.ts'

type Meaning = [pattern: RegExp, code: 'bad_input' | 'not_ready', sentence: string]

const MEANINGS: readonly Meaning[] = [
  [
    /could not resolve host|name or service not known|temporary failure in name resolution/i,
    'not_ready',
    'The address cannot be reached: its host is unknown, or this computer is not on the network.',
  ],
  [
    /failed to connect|connection (refused|timed out|reset)|network is unreachable|no route to host|operation too slow|timed out|could not connect/i,
    'not_ready',
    'The host does not answer. Look whether this computer is on the network, and try again.',
  ],
  [
    /ssl|certificate/i,
    'not_ready',
    'The connection to the host is not safe: its certificate cannot be checked.',
  ],
  [
    /couldn't find remote ref|no such ref|not our ref|unadvertised object|invalid refspec/i,
    'bad_input',
    'The repository has no branch, tag or commit of that name. A commit must be written out whole.',
  ],
  [
    /host key verification failed/i,
    'bad_input',
    'The host is not known to ssh yet. Connect to it once by hand, and try again.',
  ],
  [
    /permission denied|publickey/i,
    'bad_input',
    'The host does not let this computer in: it has no ssh key that counts there.',
  ],
  [
    /could not read (username|password)|terminal prompts disabled|authentication failed|\b40[13]\b/i,
    'bad_input',
    'The repository does not exist, or wants a password. A private repository can be had by ssh.',
  ],
  [
    /not found|does not exist|does not appear to be a git repository|\b404\b|repository .* (is )?missing/i,
    'bad_input',
    'There is no repository at this address.',
  ],
  [
    /transport .* not allowed/i,
    'bad_input',
    'Skills are fetched by https and ssh only, and this leads elsewhere.',
  ],
  [/ssh: not found|cannot run ssh/i, 'not_ready', 'The program ssh is not installed on this computer.'],
]

/** Say in words what git complained about. */
export function gitTrouble(said: string, about: string): Fault {
  const known = MEANINGS.find(([pattern]) => pattern.test(said))
  if (known) return new Fault(known[1], known[2])
  const line = /^(?:fatal|error): (.*)$/m.exec(said)?.[1] ?? said.trim().split('\n')[0] ?? ''
  const words = line === '' ? 'without a word' : `: ${visibleName(line)}`
  return new Fault('not_ready', `Git could not do it (${visibleName(about)})${words}`)
}
