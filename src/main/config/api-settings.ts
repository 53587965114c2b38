import { z } from 'zod'
import { flag, groupFor, text, wholeNumber, withText } from './setting-rules.ts'

/** Settings of the server for other programs. */
export const ApiSettings = groupFor(['other programs'], {
  enabled: withText(
    flag.default(false),
    'Answer other programs',
    'Programs on this computer that speak the words of OpenAI or Anthropic can ask your models, with a key. Nothing is answered to other computers.',
    { since: 4, where: 'talaria api status' },
  ),
  port: withText(
    wholeNumber(1_024, 65_535).default(4_737),
    'Port',
    'The port on this computer under which programs find it.',
    { since: 4 },
  ),
  agent_tools: withText(
    flag.default(false),
    'Tools for programs that ask the agent',
    'The model “talaria” is the whole agent. With this on, it may read in the folder of new chats and search; what would ask you is denied.',
    { since: 4 },
  ),
  origins: withText(
    z.array(text(253), 'a list of addresses').default([]),
    'Pages that may ask',
    'Addresses of web pages that may ask from a browser, such as http://localhost:3000. Programs need no entry.',
    { since: 4 },
  ),
})
