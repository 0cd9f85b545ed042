/** Own resources that exist in another location than the one of `--location`: a create reports all of them in one failure. */
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";

const because = "Azure moves no resource to another location, and a run creates all of its resources in one location";

interface Place {
  readonly live: string;
  readonly wanted: string;
  /** The flags that determine the name of the resource. */
  readonly nameFlags: string;
}

export class ElsewhereFailure extends Failure {
  readonly place: Place;

  constructor(what: string, place: Place) {
    const { live, wanted, nameFlags } = place;
    const next = [`pass --location ${live}, or a different ${nameFlags}, which creates new resources`];
    super("ARO-OWN-002", `${what} is in ${live}, not in ${wanted}`, { because, next });
    this.place = place;
  }
}

/** The failures, with one for all resources of a location. */
export function mergedElsewhere(failures: readonly Failure[]): readonly Failure[] {
  const key = (failure: Failure) => (failure instanceof ElsewhereFailure ? `${failure.place.live} ${failure.place.wanted}` : failure);
  return [...new Set(failures.map(key))].flatMap((one) => merged(failures.filter((failure) => key(failure) === one)));
}

function merged(alike: readonly Failure[]): readonly Failure[] {
  const places = alike.flatMap((failure) => (failure instanceof ElsewhereFailure ? [failure.place] : []));
  const [place] = places;
  if (place === undefined || places.length === 1) return alike;
  const flags = [...new Set(places.map(({ nameFlags }) => nameFlags))].join(", ");
  return [
    new Failure(
      "ARO-OWN-002",
      `--location is ${place.wanted}, but ${plural(places.length, "existing resource")} of this run are in ${place.live}`,
      {
        because,
        next: [`pass --location ${place.live}`, `or create new resources with other names: ${flags}`],
      },
    ),
  ];
}
