/** Shorter values would blot out half of every text, and hide nothing that can't be guessed. */
const SHORTEST = 4;

/** Words and numbers that settings are made of: blotting them out hides nothing, and would leave no text readable. */
const PLAIN = /^(?:true|false|null|none|\d{1,4})$/i;

/** Makes a function that replaces each of `secrets` (of at least 4 characters) in a text by `[secret]`. */
export function makeRedactor(secrets: Iterable<string>): (text: string) => string {
  const values = [...new Set(secrets)].filter((value) => value.length >= SHORTEST && !PLAIN.test(value));
  // The longest first, so that one that holds another is not cut to a telling rest; as JSON and addresses write it, too.
  const forms = values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), inAddress(value)]);
  const sorted = [...new Set(forms)].sort((a, b) => b.length - a.length);
  if (sorted.length === 0) return (text) => text;
  const pattern = new RegExp(sorted.map((value) => RegExp.escape(value)).join("|"), "g");
  return (text) => text.replace(pattern, "[secret]");
}

/** As it stands in a URL; a lone surrogate can't stand in one. */
function inAddress(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}
