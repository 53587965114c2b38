/** Every sentence around rendered Markdown. */
export const markdownText = {
  copied: 'Copied',
  copyCode: 'Copy code',
  code: 'code',
  codeIn: (language: string) => (language === '' ? 'Code' : `Code, ${language}`),
  table: 'Table',
  task: (done: boolean) => (done ? 'Done' : 'To do'),
  imageLeftOut: (alt: string) =>
    alt === '' ? '[a picture from the network, not loaded]' : `[picture not loaded: ${alt}]`,
} as const
