// A project path as a relative URI reference: every segment percent-encoded, so that no path is taken for a scheme, query or host.

export function pathUri(path: string): string {
  return path.toWellFormed().split('/').map(encodeSegment).join('/');
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
