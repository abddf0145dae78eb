// Which files does no reviewer read? Rules as data, each with its reason; what they match is said aloud, never dropped silently.

export interface PruneRule {
  readonly id: string;
  readonly reason: string;
  /** Whole file names; a leading or trailing star stands for anything. Case counts. */
  readonly names?: readonly string[];
  /** Whole path segments, or runs of them, at any depth. */
  readonly directories?: readonly string[];
  /** Segments that hold sources: below one of them the directory rule does not apply. */
  readonly notBelow?: readonly string[];
  /** With their dot; case does not count. */
  readonly extensions?: readonly string[];
}

const words = (text: string): string[] => text.trim().split(/\s+/);

export const pruneRules: readonly PruneRule[] = [
  {
    id: 'lockfile',
    reason: 'lockfile',
    names: words(`
      *.lock *.lockb package-lock.json npm-shrinkwrap.json pnpm-lock.yaml pnpm-lock.yml yarn.lock
      go.sum go.work.sum Package.resolved Cartfile.resolved packages.lock.json *.opam.locked gems.locked
      gradle.lockfile buildscript-gradle.lockfile *.lockfile .terraform.lock.hcl cabal.project.freeze
      conda-lock.yml conda-lock.yaml vcpkg-lock.json cpanfile.snapshot dub.selections.json lazy-lock.json
      npm-shrinkwrap.yaml pylock.toml bower-lock.json deno.lock.json`),
  },
  {
    id: 'directory',
    reason: 'vendored or installed code',
    directories: words(`
      vendor node_modules bower_components jspm_packages .yarn/cache .yarn/releases .yarn/plugins
      __pycache__ .venv site-packages Pods .terraform`),
  },
  {
    id: 'output',
    reason: 'build output',
    directories: ['dist', 'build'],
    // A package may be called build; what lies below a source root was written by somebody.
    notBelow: words(
      'src source sources java kotlin scala groovy internal pkg cmd crates tests test spec specs',
    ),
  },
  { id: 'editor', reason: 'editor settings', directories: ['.idea'] },
  {
    id: 'binary-extension',
    reason: 'binary by its extension',
    extensions: words(`
      .png .jpg .jpeg .gif .bmp .ico .icns .webp .avif .tif .tiff .psd .ai .heic
      .exe .dll .so .dylib .class .jar .war .ear .pyc .pyo .pyd .o .wasm .node .nupkg .whl .apk .ipa .dmg .deb .rpm
      .zip .tar .gz .tgz .bz2 .xz .zst .7z .rar
      .woff .woff2 .ttf .otf .eot
      .mp3 .mp4 .m4a .mov .avi .mkv .webm .ogg .wav .flac
      .pdf .doc .docx .xls .xlsx .ppt .pptx .sqlite .sqlite3`),
  },
  {
    id: 'minified',
    reason: 'minified or mapped output',
    names: words(
      '*.min.js *.min.mjs *.min.css *.js.map *.mjs.map *.cjs.map *.css.map .pnp.cjs .pnp.loader.mjs',
    ),
  },
];

/** Text of this many bytes or more is not sent. */
export const sizeLimit = 1_000_000;
