/** Every sentence about the connection to the host, and about notices. */
export const noticesText = {
  region: 'Notices',
  dismiss: 'Dismiss',
  lost: 'The connection to Talaria was lost. Nothing is lost with it: this window connects again by itself.',
  lostLong: 'If Talaria was closed, start it again and open the address that it prints.',
  retry: 'Try now',
  connecting: 'Connecting to Talaria…',
  gone: 'Talaria cannot be reached',
  goneHint:
    'It may not be running, or it was started anew and has another address. Start it again, or open the address that it prints; this page also keeps trying.',
  toasts: 'Messages',
  closeToast: 'Close',
} as const
