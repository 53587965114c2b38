import { z } from 'zod'
import { readPublisher } from '../../lib/trusted-publishers.ts'
import { flag, groupFor, text, withText } from './setting-rules.ts'

/** Which skills are available, and who may use and write them. */
export const SkillSettings = groupFor(['skills_list', 'skill_view', 'skill_manage'], {
  use_in_chats: withText(
    flag.default(true),
    'Use skills in chats',
    'New chats can use the skills that are on.',
  ),
  learn_from_chats: withText(
    flag.default(true),
    'Let the agent write skills',
    'The agent may create and improve skills. It asks before it creates or deletes one, except with full access. Where you cannot answer, it does neither.',
  ),
  folders: withText(
    z.array(text(4_096), 'a list of paths').default([]),
    'More folders with skills',
    'Talaria reads the skills in these folders as well as your own.',
  ),
  trusted_projects: withText(
    z.array(text(4_096), 'a list of paths').default([]),
    'Trusted folders',
    'Chats in these folders may use the skills that the folder contains, and follow its AGENTS.md.',
  ),
  allowed_links: withText(
    z.array(text(4_096), 'a list of paths').default([]),
    'Links to skills elsewhere',
    'Places outside your own folder of skills that its links may point to. You are asked before a link to any other place is used.',
    { since: 4 },
  ),
  trusted_publishers: withText(
    z
      .array(
        text(400).refine(entry => readPublisher(entry) !== undefined, 'an address such as github.com/owner'),
        'a list of addresses',
      )
      .default([]),
    'Trusted publishers',
    'Addresses such as github.com/owner or github.com/owner/repository. If you import skills from there by git, you are not asked about lines that need caution. Dangerous skills stay blocked.',
    { since: 4 },
  ),
}).prefault({})
