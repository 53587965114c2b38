/** Display names of request purposes. */
export const purposeNames = {
  chat: 'Chat',
  learning: 'Learning',
  server_check: 'Server test',
  download: 'Download',
  skill_import: 'Skill import',
} as const
