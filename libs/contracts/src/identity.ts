/** Who the caller is, as a service may believe it: the verified content of the signed token on each message. */
export interface Identity {
  /** User id. */
  sub: string;
  isAdmin: boolean;
  /** The user's session epoch when the token was signed. */
  epoch: number;
}
