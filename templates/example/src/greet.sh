#!/bin/sh
echo "Hello, stranger!"
