"""Objects of a repository, read through `git cat-file --batch`."""
import os, subprocess

from basics import need


class Git:
    def __init__(self, path):
        self.base = ['git', '-C', path]
        self.env = dict(os.environ, GIT_NO_REPLACE_OBJECTS='1')
        self.batch = subprocess.Popen(self.base + ['cat-file', '--batch'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.env)

    def run(self, *args):
        return subprocess.run(self.base + list(args), check=True, capture_output=True, text=True, env=self.env).stdout.strip()

    def read(self, name):
        self.batch.stdin.write(name.encode() + b'\n')
        self.batch.stdin.flush()
        answer = self.batch.stdout.readline().decode().split()
        if len(answer) != 3:
            return None
        body = self.batch.stdout.read(int(answer[2]))
        self.batch.stdout.read(1)
        return answer[0], answer[1], body

    def raw(self, oid):
        found = self.read(oid)
        need(found, 'object_missing')
        return found[1:]

    def is_ancestor(self, older, newer):
        return subprocess.run(self.base + ['merge-base', '--is-ancestor', older, newer], env=self.env).returncode == 0
