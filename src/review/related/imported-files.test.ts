import { describe, expect, it } from 'vitest';
import { importResolver } from './imported-files.js';

const paths = [
  'gson/src/main/java/com/google/gson/Gson.java',
  'gson/src/main/java/com/google/gson/stream/JsonReader.java',
  'okhttp/src/main/kotlin/okhttp3/Cache.kt',
  'src/Mediator/Pipeline/Step.cs',
  'src/Mediator.Contracts/Unit.cs',
  'gin.go',
  'render/json.go',
  'render/json_test.go',
  'src/main.rs',
  'src/parameter/mod.rs',
  'src/parameter/range.rs',
  'src/util/units.rs',
  'crates/grep-matcher/src/lib.rs',
  'crates/grep-matcher/src/interpolate.rs',
  'lib/shop/base.rb',
  'lib/shop/show.rb',
  'include/fmt/core.h',
  'src/os.cc',
  'a/util.h',
  'b/util.h',
  'src/Support/Str.php',
  'dio/lib/src/options.dart',
  'dio/lib/dio.dart',
  'lib/shared.dart',
  'web/app.ts',
  'web/part.ts',
];
const filesOf = importResolver(paths, new Set(paths));

describe('files that an import means', () => {
  it.each([
    ['A.java', 'com.google.gson.Gson', ['gson/src/main/java/com/google/gson/Gson.java']],
    ['A.java', 'com.google.gson.Gson.create', ['gson/src/main/java/com/google/gson/Gson.java']],
    ['A.java', 'com.google.gson.stream', ['gson/src/main/java/com/google/gson/stream/JsonReader.java']],
    ['A.java', 'java.util.List', []],
    ['A.kt', 'okhttp3.Cache', ['okhttp/src/main/kotlin/okhttp3/Cache.kt']],
    ['A.cs', 'Mediator.Pipeline', ['src/Mediator/Pipeline/Step.cs']],
    ['A.cs', 'Mediator.Contracts', ['src/Mediator.Contracts/Unit.cs']],
    ['A.cs', 'System.Linq', []],
    ['A.cs', 'Contracts', []],
    ['gin.go', 'github.com/gin-gonic/gin/render', ['render/json.go']],
    ['a/b.go', 'example.com/owner/name/v2/render', ['render/json.go']],
    ['gin.go', 'net/http', []],
    ['a/b.go', 'github.com/pkg/errors', []],
    ['src/main.rs', 'crate::parameter::range::Range', ['src/parameter/range.rs']],
    ['src/parameter/range.rs', 'super::Parameter', []],
    ['src/parameter/mod.rs', 'self::range::Range', ['src/parameter/range.rs']],
    ['src/parameter/range.rs', 'super::super::util::units', ['src/util/units.rs']],
    ['src/main.rs', 'grep_matcher::interpolate', ['crates/grep-matcher/src/interpolate.rs']],
    ['src/main.rs', 'std::fs', []],
    ['test/a.rb', 'shop/base', ['lib/shop/base.rb']],
    ['lib/shop/base.rb', 'show', ['lib/shop/show.rb']],
    ['src/os.cc', 'fmt/core.h', ['include/fmt/core.h']],
    ['a/x.c', 'util.h', ['a/util.h']],
    ['c/x.c', 'util.h', []],
    ['A.php', 'Vendor\\Support\\Str', ['src/Support/Str.php']],
    ['dio/lib/dio.dart', 'src/options.dart', ['dio/lib/src/options.dart']],
    ['test/a.dart', 'package:dio/dio.dart', ['dio/lib/dio.dart']],
    ['test/a.dart', 'package:own/shared.dart', ['lib/shared.dart']],
    ['test/a.dart', 'dart:io', []],
    ['web/app.ts', './part.js', ['web/part.ts']],
  ])('%s: %s', (from, module, expected) => {
    expect(filesOf(from, module)).toEqual(expected);
  });
});
