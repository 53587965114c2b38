/** Every sentence about what may run without a question. */
export const permissionText = {
  label: 'What may run without a question',
  button: (mode: string) => `Permissions: ${mode}`,
  modes: {
    chat_only: { name: 'Chat only', hint: 'No tools at all.' },
    ask: { name: 'Ask', hint: 'Everything but reading in the working folder asks you first.' },
    reads: { name: 'Auto for safe reads', hint: 'Safe reading commands run by themselves; the rest asks.' },
    full: { name: 'Full access', hint: 'Nothing asks. Only calls that could wreck the system are stopped.' },
    none: { name: 'Deny', hint: 'Whatever would ask is denied.' },
  },
} as const
