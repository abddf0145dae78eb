// Files that are written for builds, checks and other tools: their keys are words of the tool, which no code of the repository reads.
import ignore from 'ignore';

const words = (text: string): string[] => text.trim().split(/\s+/);

const patterns = words(`
  .github/ .gitlab/ .gitea/ .forgejo/ .circleci/ .buildkite/ .devcontainer/ .vscode/ .husky/ .changeset/ .cargo/ .mvn/
  .gitlab-ci.* .travis.* .appveyor.* appveyor.* .cirrus.* azure-pipelines*.* Jenkinsfile* .pre-commit-config.* .readthedocs.*
  codecov.* .codecov.* .coveralls.* dependabot.* renovate.* mkdocs.* cliff.toml goreleaser.* .goreleaser.* buf.*
  package.json composer.json deno.json* jsr.json tsconfig*.json nx.json turbo.json lerna.json biome.json* bunfig.toml *.config.*
  .*rc .*rc.* .*ignore .*attributes .*config .editorconfig .flake8 .golangci.* .rubocop* .rustfmt.* .clang-* .markdownlint.* .yamllint.*
  rustfmt.toml clippy.toml taplo.toml deny.toml tox.ini pytest.ini mypy.ini pylint* ruff.toml phpunit* phpcs* psalm* phpstan* checkstyle*
  spotbugs* pmd* *.neon
  Cargo.toml pyproject.toml setup.cfg setup.py requirements* constraints* Gemfile Rakefile *.gemspec go.mod go.work
  pom.xml *.gradle *.gradle.kts gradle.properties *.sln *.slnx *.csproj *.fsproj *.vbproj *.vcxproj *.props *.targets
  Makefile* GNUmakefile CMakeLists.txt Dockerfile* Containerfile* Vagrantfile*
`);
const toolFiles = ignore({ ignorecase: false }).add(patterns);

export function isToolFile(path: string): boolean {
  return toolFiles.ignores(path);
}
