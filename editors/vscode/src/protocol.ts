// What the picture and the extension say to each other.

import type { View } from "../../../internal/web/ui/types";

/** From the extension: the state of the session, or something to be read out. */
export type ToPicture = { kind: "view"; view: View } | { kind: "none"; why: string } | { kind: "say"; text: string };

/** From the picture: a command line of gulo's shell, which a gesture means; a folded node to be shown; a repair to be put into the source. */
export type FromPicture = { kind: "ready" } | { kind: "command"; line: string } | { kind: "open"; node: string } | { kind: "apply"; n: number };
