/**
 * Why something could not be read, in words for the model: because the text ended inside it (`cut`), because quotes do
 * not pair up, so that nobody can say where it ends (`quotes`), or for another reason.
 */
export class Trouble {
  readonly reason: string
  readonly kind: 'cut' | 'quotes' | 'other'
  constructor(reason: string, kind: 'cut' | 'quotes' | 'other' = 'other') {
    this.reason = reason
    this.kind = kind
  }
}
