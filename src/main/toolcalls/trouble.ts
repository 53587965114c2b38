/** Why something could not be read, in words for the model. `cut` means that the text ended inside it. */
export class Trouble {
  readonly reason: string
  readonly cut: boolean
  constructor(reason: string, cut = false) {
    this.reason = reason
    this.cut = cut
  }
}
