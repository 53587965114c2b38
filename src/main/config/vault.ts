/** Encrypts texts with the system’s own encryption. `renew`: encrypt again, because its key changed. */
export type Vault = {
  seal(text: string): Promise<Buffer>
  open(sealed: Buffer): Promise<{ text: string; renew: boolean }>
}

/** Opens the vault; undefined if there is none. The system may ask the user for a password. */
export type OpenVault = () => Promise<Vault | undefined>
